--- Replaces the levels of a ticket's players, unless the ticket is closed or differs from the one that was read.
--@arg ticketId string
--@arg was string its immutable fields as they were read, as JSON
--@arg fixed string the same with the new levels
--@many
--@returns relevelled | closed | changed
--@include ticket
local ticket = read_ticket(arg.ticketId)
if not ticket or ticket.fields[field.closed] then return { 'closed' } end
if fixed_of(ticket) == arg.fixed then return { 'relevelled' } end
if fixed_of(ticket) ~= arg.was then return { 'changed' } end
put_fixed(ticket, arg.fixed)
save(ticket)
-- Followers of the pool take a known ticket that joins for its new content.
if ticket.fields[field.state] == 'waiting' then note_changes(details_of(ticket).queue, 'joined', { ticket.id }, arg.fixed) end
return { 'relevelled' }
