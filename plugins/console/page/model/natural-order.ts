/** Compares texts, and the numbers in them by value: `pod-2` comes before `pod-10`. */
export function naturalOrder(left: string, right: string): number {
  return plain.test(left) && plain.test(right) ? plainOrder(left, right) : collate(left, right)
}

/** Texts such as names of objects, in which the order of character codes is the alphabetical one. */
const plain = /^[a-z\d.-]*$/

function plainOrder(left: string, right: string): number {
  let at = 0
  let other = 0
  while (at < left.length && other < right.length) {
    const [digits, otherDigits] = [digitsAt(left, at), digitsAt(right, other)]
    const areNumbers = digits > 0 && otherDigits > 0
    const order = areNumbers
      ? numberOrder(left.slice(at, at + digits), right.slice(other, other + otherDigits))
      : left.charCodeAt(at) - right.charCodeAt(other)
    if (order !== 0) return order
    at += areNumbers ? digits : 1
    other += areNumbers ? otherDigits : 1
  }
  return left.length - at - (right.length - other)
}

/** The number of consecutive digits at a position. */
function digitsAt(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++
  return at - from
}

/** Compares numbers of any length. */
function numberOrder(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')]
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)
}

let collator: Intl.Collator | undefined
/** The collator is created on demand: that takes a browser as long as rendering a page of rows. */
function collate(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(left, right)
}
