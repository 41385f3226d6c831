/** The order in which people look for texts: numbers in them by their size, `pod-2` before `pod-10`. */
export function naturalOrder(left: string, right: string): number {
  return plain.test(left) && plain.test(right) ? plainOrder(left, right) : collate(left, right)
}

/** Names of objects. Their letters have the same order in every language of ours and in their codes. */
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

/** How many digits follow each other from here on. */
function digitsAt(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++
  return at - from
}

/** Of digits, however many there are. */
function numberOrder(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')]
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)
}

let collator: Intl.Collator | undefined
/** Made when it is needed: that takes a browser as long as drawing a page of rows. */
function collate(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(left, right)
}
