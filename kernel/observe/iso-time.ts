let second = Number.NaN
let textOfSecond = ''

/** A time as `2026-11-16T10:51:07.123`, without zone. The text of the last second is cached, because formatting is slow. */
export function isoTime(at: number): string {
  const whole = Math.floor(at / 1000)
  if (whole !== second) {
    textOfSecond = new Date(whole * 1000).toISOString().slice(0, -'000Z'.length)
    second = whole
  }
  const milliseconds = Math.floor(at - whole * 1000)
  return `${textOfSecond}${milliseconds < 10 ? '00' : milliseconds < 100 ? '0' : ''}${milliseconds}`
}
