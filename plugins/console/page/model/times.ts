import { signal } from '@preact/signals'

/** The current time, updated every second while the page is visible. */
export const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

const units = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

/** `3d4h`, `5m`, `12s`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const at = units.findIndex(([, length]) => seconds >= length)
  const unit = units[at]
  if (!unit) return `${seconds}s`
  const [name, length] = unit
  const whole = Math.floor(seconds / length)
  const next = units[at + 1] ?? (['s', 1] as const)
  const rest = Math.floor((seconds % length) / next[1])
  return whole < 10 && rest > 0 ? `${whole}${name}${rest}${next[0]}` : `${whole}${name}`
}

const lengths: Readonly<Record<string, number>> = { y: 365 * 86_400, d: 86_400, h: 3600, m: 60, s: 1 }
/** Parses texts such as `3d4h` to milliseconds; undefined for other texts. */
export function readSpan(text: string): number | undefined {
  if (!/^(\d+[ydhms])+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+)([ydhms])/g)]
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (lengths[unit!] ?? 0) * 1000, 0)
}
