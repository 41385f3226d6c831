/**
 * A message of the server, or a part of one, as plugin-messages.ts declares it. The server is trusted, and its program is of the same build as
 * this one; what a plugin process sends is checked field by field instead.
 */
export const received = <T>(content: unknown): T => content as T
