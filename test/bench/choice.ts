/** Which scenarios run: `--only 'create*,get*' --skip 'biglist*'`. */
export function isChosen(name: string, { only, skip }: { only?: string; skip?: string }): boolean {
  const matches = (patterns: string) =>
    patterns.split(',').some(p => (p.endsWith('*') ? name.startsWith(p.slice(0, -1)) : name === p))
  return (only === undefined || matches(only)) && !(skip !== undefined && matches(skip))
}
