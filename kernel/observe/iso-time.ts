let second = Number.NaN
let textOfSecond = ''

/** A time as `2026-11-16T10:51:07.123`, without zone. Times of one second share most of their text, which takes long to make. */
export function isoTime(at: number): string {
  const whole = Math.floor(at / 1000)
  if (whole !== second) {
    textOfSecond = new Date(whole * 1000).toISOString().slice(0, -'000Z'.length)
    second = whole
  }
  const milliseconds = Math.floor(at - whole * 1000)
  return `${textOfSecond}${milliseconds < 10 ? '00' : milliseconds < 100 ? '0' : ''}${milliseconds}`
}
