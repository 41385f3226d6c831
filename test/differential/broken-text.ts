import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Target } from '../fuzz/served-api.js'

/** A body that cannot be read, or is of another kind. */
export function brokenText(random: SeededRandom, text: string, target: Target): string {
  const dice = random.fraction()
  if (dice < 0.3) return text.replace(`"kind":"${target.kind}"`, '"kind":"Odd"')
  if (dice < 0.5) return text.replace(`"apiVersion":"${target.apiVersion}"`, '"apiVersion":"v9"')
  if (dice < 0.6) return random.pick(['', '{}', '[]', 'null', '"a"', '1', '{"kind":"Status"}'])
  const at = random.between(0, text.length)
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + random.pick(['{', '}', '[', ',', ':', '"', '\\', '\n', 'é']) + text.slice(at),
    `${text}${text}`,
    text.replace(/"labels":/, '"labels":{"twice":"a"},"labels":'),
    text.replace(/:(\d+)/, ':$1.0'),
    text.replace(/:\d+/, ':1e2'),
  ])
}
