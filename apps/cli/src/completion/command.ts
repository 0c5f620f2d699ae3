import { own } from '@muster/domain';
import { Argument, type Command } from 'commander';

/** What each shell is told: it asks this program, so that completion follows the commands of the release. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_muster() {
  local IFS=$'\\n'
  COMPREPLY=($(muster complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _muster muster`,
  zsh: `#compdef muster
_muster() { compadd -- \${(f)"$(muster complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"} }
compdef _muster muster`,
  fish: `complete -c muster -f -a '(muster complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

const help = `
bash: add this line to ~/.bashrc               source <(muster completion bash)
zsh:  add this line to ~/.zshrc                source <(muster completion zsh)
fish: muster completion fish > ~/.config/fish/completions/muster.fish

Example: muster completion bash`;

/** Defines `muster completion`, and the hidden command that shells ask. */
export function completionCommands(program: Command): void {
  program
    .command('completion')
    .description('Print what makes a shell complete the words of muster.')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: string) => void process.stdout.write(`${own(scripts, shell) ?? ''}\n`));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const word of candidates(program, words)) process.stdout.write(`${word}\n`);
    });
}

/** What may stand in the place of the last word. @param words after the name of the program */
export function candidates(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  const said = words.slice(0, -1);
  let command = program;
  let given = 0;
  for (const word of said) {
    const next = given === 0 ? command.commands.find((each) => each.name() === word) : undefined;
    if (next) command = next;
    else if (!word.startsWith('-')) given += 1;
  }
  const usual: unknown = Reflect.get(command, '_defaultCommandName');
  const runs = command.commands.find((each) => each.name() === usual) ?? command;
  const options = [...new Set([...command.options, ...runs.options])];
  const open = options.find(({ long, flags }) => long === said.at(-1) && flags.includes('<'));
  if (open) return fitting(open.argChoices ?? [], typed);
  if (typed.startsWith('-'))
    return fitting(
      options.flatMap(({ long }) => long ?? []).filter((long) => !said.includes(long)),
      typed,
    );
  const names =
    given === 0 ? command.commands.map((each) => each.name()).filter((name) => name !== 'complete') : [];
  return fitting([...names, ...(command.registeredArguments[given]?.argChoices ?? [])], typed);
}

const fitting = (words: readonly string[], typed: string): string[] =>
  words.filter((word) => word.startsWith(typed));
