/** Protocols of ports. */
export const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP']
/** Numbers of ports. */
export const portNumbers = { minimum: 1, maximum: 65_535 } as const
