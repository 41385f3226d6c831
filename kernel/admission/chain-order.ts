import type { AdmissionDefinition } from 'orch/sdk'
import { admissionStages } from 'orch/sdk/host'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import type { Contribution } from '../registry/registry.js'

// biome-ignore lint/suspicious/noExplicitAny: controls of different object types stand in one list
export type AnyAdmission = AdmissionDefinition<any, any>

/** Controls in the order they run. */
export type Chain = readonly Contribution<AnyAdmission>[]

/** The options of the operator about the chain. */
export interface ChainSettings {
  readonly enableAdmissionPlugins: readonly string[]
  readonly disableAdmissionPlugins: readonly string[]
  /** Relative order of these controls, which overrides what they declare. */
  readonly admissionOrder: readonly string[]
}

/** The final chain: enabled controls in the order they run. Disabled ones take part in the ordering and are removed afterwards. */
export function orderChain(controls: Chain, settings: ChainSettings): Contribution<AnyAdmission>[] {
  const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled, admissionOrder } = settings
  const isOn = ({ definition: { name, enabledByDefault = true } }: Contribution<AnyAdmission>) =>
    !disabled.includes(name) && (enabled.includes(name) || enabledByDefault)
  return sortByPlace(controls, admissionOrder).sorted.filter(isOn)
}

/**
 * How far a name may be from a known one to count as misspelt. Controls of absent plugins may be named, and real names differ by more:
 * DefaultIngressClass is not a misspelt DefaultStorageClass.
 */
const maxMisspelling = 2

/** Reports names in `after` and `before` that are probably misspelt, and cycles. */
export function chainProblems(controls: Chain, { admissionOrder }: ChainSettings): BootProblem[] {
  const known = new Set(controls.map(({ definition }) => definition.name))
  const misspelt = controls.flatMap(({ plugin, definition: { name, after = [], before = [] } }) =>
    [...after, ...before].flatMap(other => {
      const suggestion = known.has(other) ? undefined : nearestName(other, known, maxMisspelling)
      return suggestion ? [problem('ORCH_ADMISSION_PLACE', { plugin, name, other, suggestion })] : []
    }),
  )
  const { cyclic } = sortByPlace(controls, admissionOrder)
  const [first] = cyclic
  if (!first) return misspelt
  const names = cyclic.map(({ definition }) => definition.name)
  return [...misspelt, problem('ORCH_ADMISSION_CYCLE', { plugin: first.plugin, names })]
}

/** The controls that run before validation, and those that run after it, in order. */
export function namesByPhase(chain: Chain): { mutating: string[]; validating: string[] } {
  const namesWithout = (phase: 'mutate' | 'validate') =>
    chain.filter(({ definition }) => definition.phase !== phase).map(({ definition }) => definition.name)
  return { mutating: namesWithout('validate'), validating: namesWithout('mutate') }
}

interface ChainEntry {
  readonly control: Contribution<AnyAdmission>
  stage: number
  readonly successors: Set<string>
  predecessors: number
}

/** A topological order that prefers early stages, then early registration. `cyclic` could not be placed. */
function sortByPlace(controls: Chain, admissionOrder: readonly string[]): Record<'sorted' | 'cyclic', Chain> {
  const places = new Map<string, ChainEntry>()
  for (const control of controls) {
    const stage = admissionStages.indexOf(control.definition.stage ?? 'checks')
    places.set(control.definition.name, { control, stage, successors: new Set(), predecessors: 0 })
  }
  for (const [first, second] of precedences(controls, admissionOrder)) {
    const [earlier, later] = [places.get(first), places.get(second)]
    if (!earlier || !later || earlier.successors.has(second)) continue
    earlier.successors.add(second)
    later.predecessors++
  }
  const visited = new Set<ChainEntry>()
  for (const place of places.values()) inheritStage(place, places, visited)
  const sorted: Contribution<AnyAdmission>[] = []
  const waiting = new Set(places.values())
  for (;;) {
    const free = [...waiting].filter(({ predecessors }) => predecessors === 0)
    if (free.length === 0) return { sorted, cyclic: [...waiting].map(({ control }) => control) }
    const next = free.reduce((best, place) => (place.stage < best.stage ? place : best))
    waiting.delete(next)
    sorted.push(next.control)
    for (const name of next.successors) places.get(name)!.predecessors--
  }
}

/** Pairs of names of which the first runs before the second. Options of the operator take precedence over declarations. */
function precedences(controls: Chain, admissionOrder: readonly string[]): [string, string][] {
  const rank = new Map(admissionOrder.map((name, index) => [name, index]))
  const isDecided = ([first, second]: [string, string]) => rank.has(first) && rank.has(second)
  const declared = controls.flatMap(({ definition: { name, after = [], before = [] } }) => [
    ...after.map((other): [string, string] => [other, name]),
    ...before.map((other): [string, string] => [name, other]),
  ])
  const chosen = admissionOrder.slice(1).map((name, index): [string, string] => [admissionOrder[index]!, name])
  return [...declared.filter(pair => !isDecided(pair)), ...chosen]
}

/** A control that runs before one of an earlier stage belongs to that stage, too. Each is looked at once, cycles included. */
function inheritStage(place: ChainEntry, places: ReadonlyMap<string, ChainEntry>, visited: Set<ChainEntry>): void {
  if (visited.has(place)) return
  visited.add(place)
  for (const name of place.successors) {
    const next = places.get(name)!
    inheritStage(next, places, visited)
    place.stage = Math.min(place.stage, next.stage)
  }
}
