const form = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/

/** Orders versions of an API: stable before beta before alpha, higher numbers first; those of other names last, by name. */
export function compareApiVersions(left: string, right: string): number {
  const [a, b] = [form.exec(left), form.exec(right)]
  if (!a || !b) return a ? -1 : b ? 1 : left < right ? -1 : left > right ? 1 : 0
  const stability = (parts: RegExpExecArray) => (parts[2] === undefined ? 0 : parts[2] === 'beta' ? 1 : 2)
  return stability(a) - stability(b) || Number(b[1]) - Number(a[1]) || Number(b[3] ?? 0) - Number(a[3] ?? 0)
}
