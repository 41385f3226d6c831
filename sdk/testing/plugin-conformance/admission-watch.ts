import type { AdmissionDefinition, AdmissionRequest, Registrar } from '../../index.js'
import type { Check } from './check.js'
import { canonical, deepFreeze } from './deep-freeze.js'
import { type EntryUnderTest, type PluginUnderTest, withRegistrar } from './plugin-under-test.js'

// biome-ignore lint/suspicious/noExplicitAny: controls of different object types and needs
type AnyControl = AdmissionDefinition<any, any>

/**
 * Observes the admission controls of a plugin while other checks send requests through them: what they must not change
 * is frozen, what they throw is recorded, and mutating ones run twice. Disabled controls get copies of the requests,
 * and their decisions are ignored.
 */
export class AdmissionWatch {
  readonly #calls = new Map<string, number>()
  readonly #offences = new Map<string, string[]>()
  readonly #enabled: readonly string[]

  constructor({ samples }: Pick<PluginUnderTest, 'samples'>) {
    this.#enabled = (samples.options?.['enableAdmissionPlugins'] ?? []) as readonly string[]
  }

  /** The plugin, with its controls observed. */
  watched(plugin: EntryUnderTest): EntryUnderTest {
    return withRegistrar(plugin, (to: Registrar) => ({
      ...to,
      admission: (...controls: AnyControl[]) => to.admission(...controls.map(control => this.#watch(control))),
    }))
  }

  /** Must run after the requests. */
  checksOf(name: string): Check[] {
    const title = 'changes only what it may, does not throw, and is idempotent'
    return [{ subject: `admission ${name}`, title, run: () => this.#verdictOn(name) }]
  }
  #verdictOn(name: string): string | void {
    const [offence, ...more] = this.#offences.get(name) ?? []
    if (offence) throw new Error(more.length > 0 ? `${offence} (and ${more.length} more)` : offence)
    if (!this.#calls.has(name)) return 'no request of this run matches it'
  }

  #watch(control: AnyControl): AnyControl {
    const note = (text: string) => {
      this.#offences.set(control.name, [...(this.#offences.get(control.name) ?? []), text])
    }
    // A control may keep state in a WeakMap by request, so it gets the same request when it is called again.
    const shown = new WeakMap<AdmissionRequest, { parts: Parts; seen: AdmissionRequest }>()
    const review: AnyControl['review'] = async (request, services, phase) => {
      this.#calls.set(control.name, (this.#calls.get(control.name) ?? 0) + 1)
      const where = `on ${request.operation} of ${request.resource}`
      const made: Parts = { object: request.object }
      const { parts, seen } = shown.get(request) ?? { parts: made, seen: withParts(request, made) }
      shown.set(request, { parts, seen })
      parts.object = phase === 'validate' ? frozenCopy(request.object) : request.object
      parts.oldObject = frozenCopy(request.oldObject)
      parts.reinvoked = request.reinvoked
      try {
        const verdict = await control.review(seen, services, phase)
        if (phase === 'mutate' && verdict === undefined && control.sideEffects === 'none') {
          const complaint = await runAgain(control, seen, parts, services)
          if (complaint !== undefined) note(`${complaint} when it runs again, ${where}`)
        }
        return verdict
      } catch (thrown) {
        const isFrozen = thrown instanceof TypeError && /read only|not extensible|Cannot delete/.test(thrown.message)
        if (isFrozen) note(`modifies a read-only part of the request, ${where}: ${thrown.message}`)
        else if (!isApiError(thrown)) note(`throws ${where}: ${thrown instanceof Error ? thrown.message : thrown}`)
        throw thrown
      }
    }
    if (control.enabledByDefault !== false || this.#enabled.includes(control.name)) return { ...control, review }
    return {
      ...control,
      enabledByDefault: true,
      review: (request, services, phase) => unheard(() => review(copied(request), services, phase)),
    }
  }
}

/**
 * Runs a control a second time on its own result, as after a webhook that changed something else. Returns the problem,
 * if any.
 */
async function runAgain(
  control: AnyControl,
  seen: AdmissionRequest,
  parts: Parts,
  services: unknown,
): Promise<string | undefined> {
  const before = canonical(parts.object)
  parts.object = structuredClone(parts.object)
  parts.reinvoked = true
  try {
    const verdict = await control.review(seen, services as never, 'mutate')
    if (verdict && 'rejected' in verdict) return `rejects a request that it admitted (${verdict.message})`
  } catch (thrown) {
    return `rejects a request that it admitted (${thrown instanceof Error ? thrown.message : thrown})`
  }
  return canonical(parts.object) === before ? undefined : 'changes the object again'
}

/** Parts of a request that are replaced by what a control may see. */
interface Parts {
  object: AdmissionRequest['object']
  oldObject?: AdmissionRequest['oldObject']
  reinvoked?: boolean
}
const frozenCopy = <T>(value: T): T => deepFreeze(structuredClone(value))

/** The request with other parts. It may be of a class with private members, so it is asked as itself. */
function withParts(request: AdmissionRequest, parts: Parts | object): AdmissionRequest {
  return new Proxy(request, {
    get(target, key) {
      if (Object.hasOwn(parts, key)) return Reflect.get(parts, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A request without effects: changes and messages are discarded. */
const copied = (request: AdmissionRequest): AdmissionRequest =>
  withParts(request, { object: structuredClone(request.object), warn() {}, annotate() {}, releaseLock() {} })

async function unheard(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // Recorded already, if it is a violation.
  }
}
const isApiError = (thrown: unknown) =>
  thrown instanceof Error && typeof (thrown as { code?: unknown }).code === 'number'
