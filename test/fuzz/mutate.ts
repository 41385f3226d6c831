import { anyValue, randomText } from './random-value.js'
import type { SeededRandom } from './seeded-random.js'

type Holder = Record<string, unknown> | unknown[]

/** Every place inside a value that can be changed. */
function placesIn(value: unknown): { holder: Holder; key: string | number }[] {
  const places: { holder: Holder; key: string | number }[] = []
  const queue: unknown[] = [value]
  while (queue.length > 0 && places.length < 2000) {
    const holder = queue.pop()
    if (typeof holder !== 'object' || holder === null) continue
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder)
    for (const key of keys) {
      places.push({ holder: holder as Holder, key })
      queue.push((holder as Record<string | number, unknown>)[key])
    }
  }
  return places
}

/** Changes a value in one plausible place. The value must not be shared. */
export function mutateValue(random: SeededRandom, value: unknown): void {
  const places = placesIn(value)
  if (places.length === 0) return
  const { holder, key } = random.pick(places)
  const at = holder as Record<string | number, unknown>
  random.pick<() => void>([
    () => (at[key] = anyValue(random)),
    () => (at[key] = anyValue(random)),
    () => (at[key] = null),
    () => (at[key] = { [key]: at[key] }),
    () => (at[key] = [at[key]]),
    () => (at[key] = Array.from({ length: random.pick([2, 30, 200]) }, () => at[key])),
    () => (at[key] = randomText(random)),
    () => void delete at[key],
    () => {
      if (!Array.isArray(holder)) holder[randomText(random)] = anyValue(random)
      else holder.push(anyValue(random))
    },
    () => {
      const other = random.pick(places)
      at[key] = structuredClone((other.holder as Record<string | number, unknown>)[other.key])
    },
  ])()
}

/** Numbers in unusual notation. */
const oddNumbers = ['1e-999999999', '1e400', '-0', '1.0', '1e2', '00', '9223372036854775807', '1e9999999999', '0.1e1']

/** Changes a text regardless of its meaning. */
export function mutateText(random: SeededRandom, text: string): string {
  const at = random.between(0, text.length)
  return random.pick<() => string>([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at + random.between(1, 9)),
    () =>
      text.slice(0, at) +
      random.pick(['{', '}', '[', ']', ',', ':', '"', '\\', '\u0000', 'é', '\n', '- ']) +
      text.slice(at),
    () => text.slice(0, at) + text.slice(0, random.between(0, 200)) + text.slice(at),
    () => text.replace(/:\d+/, `:${random.pick(oddNumbers)}`),
    () => text.replace(/"([^"]*)":/, '"$1":1,"$1":'),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.toUpperCase(),
  ])()
}
