import { isObject } from '../golden/json-paths.js'
import type { Scenario, Step } from '../golden/scenario.js'

/** Whether a smaller conversation still shows the same. */
export type Shows = (scenario: Scenario) => Promise<boolean>

/** Makes a conversation smaller as long as it shows the same: fewer steps, fewer parameters and headers, smaller bodies. */
export async function shrink(scenario: Scenario, lastStep: number, shows: Shows, attempts = 200): Promise<Scenario> {
  let left = attempts
  let best = scenario
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    if (left-- <= 0) return false
    const smaller = { ...best, steps }
    if (!(await shows(smaller))) return false
    best = smaller
    return true
  }
  const withoutRest = best.steps.filter((step, index) => index <= lastStep || step.cleanup)
  if (withoutRest.length < best.steps.length) await attempt(withoutRest)
  // Most differences show in a single request, or in one on a new object.
  const [first, ...others] = best.steps.filter(step => !step.setup && !step.cleanup)
  const last = others.at(-1)
  const only = (...kept: readonly (Step | undefined)[]) =>
    attempt(best.steps.filter(step => step.setup || step.cleanup || kept.includes(step)))
  const isSmall = others.length > 1 && ((await only(last)) || (await only(first, last)))
  if (!isSmall) await withoutSteps()
  for (let index = best.steps.length - 1; index >= 0; index--) {
    const step = best.steps[index]
    if (step && !step.cleanup) await simplerStep(index)
  }
  await withoutSteps()
  return best

  /** The last request is the one that shows it. */
  async function withoutSteps(): Promise<void> {
    const isLast = (index: number) =>
      best.steps.slice(index + 1).every(step => step.cleanup) && !best.steps[index]?.cleanup
    for (let index = best.steps.length - 1; index >= 0; index--)
      if (!isLast(index)) await attempt(best.steps.filter((_, at) => at !== index))
  }

  async function simplerStep(index: number): Promise<void> {
    const replace = (change: (step: Step) => Step) =>
      attempt(best.steps.map((step, at) => (at === index ? change(step) : step)))
    const step = best.steps[index]!
    const [path = '', query = ''] = (step.path ?? '').split('?')
    let parameters = query === '' ? [] : query.split('&')
    // Without these, a list would show objects of other conversations, and dry runs would be stored.
    for (const parameter of parameters.filter(
      text => !text.startsWith('labelSelector=run%3D') && text !== 'dryRun=All' && !text.startsWith('watch='),
    )) {
      const fewer = parameters.filter(other => other !== parameter)
      const shorter = fewer.length === 0 ? path : `${path}?${fewer.join('&')}`
      if (await replace(before => ({ ...before, path: shorter }))) parameters = fewer
    }
    for (const name of Object.keys(step.headers ?? {}).filter(header => header !== 'Content-Type'))
      await replace(({ headers: { [name]: _, ...headers } = {}, ...rest }) => ({ ...rest, headers }))
    if (step.as !== undefined) await replace(({ as: _, ...rest }) => rest)
    if (step.save !== undefined) await replace(({ save: _, ...rest }) => rest)
    if (step.body !== undefined) await shrinkValue(step.body, body => replace(before => ({ ...before, body })))
  }
}

/** Removes every part of a value that `accepts` does not need, large parts first. */
export async function shrinkValue(value: unknown, accepts: (smaller: unknown) => Promise<boolean>): Promise<unknown> {
  let best = value
  /** Fields and entries below `path`, from the last one, so that the indexes of the others stay valid. */
  const walk = async (path: readonly (string | number)[]): Promise<void> => {
    for (const key of keysOf(at(best, path)).reverse()) {
      const smaller = without(best, [...path, key])
      if (await accepts(smaller)) best = smaller
      else await walk([...path, key])
    }
  }
  await walk([])
  return best
}

const keysOf = (value: unknown): (string | number)[] =>
  Array.isArray(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : []

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((holder, key) => (holder as Record<string | number, unknown> | undefined)?.[key], value)

function without(value: unknown, path: readonly (string | number)[]): unknown {
  const copy = structuredClone(value)
  const holder = at(copy, path.slice(0, -1))
  const key = path[path.length - 1]!
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (isObject(holder)) delete holder[key]
  return copy
}
