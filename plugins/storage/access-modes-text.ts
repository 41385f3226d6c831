const abbreviations = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const

/** Abbreviated access modes: `RWO,RWX`. */
export const accessModesText = (modes: readonly string[] = []): string =>
  abbreviations
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
