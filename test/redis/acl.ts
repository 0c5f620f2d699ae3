export const aclRules = (_realm: string): string[] => ['~*', '&*', '+@all'];
