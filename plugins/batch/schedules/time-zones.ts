import { timestampOf } from 'orch/sdk'

/** Whether this is the name of a zone in the time zone database. Case matters, unlike for the runtime. */
export function isKnownZone(zone: string): boolean {
  // Offsets are not names.
  if (/^[+-]/.test(zone)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase()
  } catch {
    return false
  }
}

/** A local time in a zone, such as `2024-05-01T00:00:00+09:00`. */
export function timestampIn(zone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  const aheadMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  if (aheadMs === 0) return timestampOf(ms)
  return timestampOf(ms + aheadMs).replace('Z', `${sign}${hours}:${minutes}`)
}
