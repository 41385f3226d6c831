import type { AdmissionDefinition, AdmissionRequest, ConfiguredPlugin, Registrar } from 'orch/sdk'
import type { Check } from './check.js'
import { canonical, deepFreeze } from './deep-freeze.js'
import { withRegistrar } from './plugin-under-test.js'

// biome-ignore lint/suspicious/noExplicitAny: controls of different object types and needs
type AnyControl = AdmissionDefinition<any, any>

/**
 * Watches the admission controls of a plugin while other checks send requests through them: what they must not change is
 * frozen, what they throw is noted, and those that change objects run twice.
 */
export class AdmissionWatch {
  readonly #calls = new Map<string, number>()
  readonly #offences = new Map<string, string[]>()

  /** The plugin, with its controls under watch. */
  watched(plugin: ConfiguredPlugin): ConfiguredPlugin {
    return withRegistrar(plugin, (to: Registrar) => ({
      ...to,
      admission: (...controls: AnyControl[]) => to.admission(...controls.map(control => this.#watch(control))),
    }))
  }

  /** To be run after the requests. */
  checksOf(name: string): Check[] {
    const title = 'changes only what it may, fails on nothing, and leaves alone what it has already done'
    return [{ subject: `admission ${name}`, title, run: () => this.#verdictOn(name) }]
  }
  #verdictOn(name: string): string | void {
    const [offence, ...more] = this.#offences.get(name) ?? []
    if (offence) throw new Error(more.length > 0 ? `${offence} (and ${more.length} more)` : offence)
    if (!this.#calls.has(name)) return 'no request of this run concerns it'
  }

  #watch(control: AnyControl): AnyControl {
    const note = (text: string) => {
      this.#offences.set(control.name, [...(this.#offences.get(control.name) ?? []), text])
    }
    const review: AnyControl['review'] = async (request, services, phase) => {
      this.#calls.set(control.name, (this.#calls.get(control.name) ?? 0) + 1)
      const where = `on ${request.operation} of ${request.resource}`
      const seen = guarded(request, phase)
      try {
        const verdict = await control.review(seen, services, phase)
        if (phase === 'mutate' && verdict === undefined && control.sideEffects === 'none') {
          await this.#again(control, request, services, () =>
            note(`changes the object again when it runs again, ${where}`),
          )
        }
        return verdict
      } catch (thrown) {
        const isFrozen = thrown instanceof TypeError && /read only|not extensible|Cannot delete/.test(thrown.message)
        if (isFrozen) note(`changes what it must not change, ${where}: ${thrown.message}`)
        else if (!isApiError(thrown)) note(`throws ${where}: ${thrown instanceof Error ? thrown.message : thrown}`)
        throw thrown
      }
    }
    return { ...control, review }
  }

  async #again(control: AnyControl, request: AdmissionRequest, services: unknown, complain: () => void): Promise<void> {
    const before = canonical(request.object)
    const copy = structuredClone(request.object)
    const second = Object.create(request, { object: { value: copy }, reinvoked: { value: true } })
    await control.review(second, services as never, 'mutate')
    if (canonical(copy) !== before) complain()
  }
}

/** The request with copies in place of the objects that this phase must leave alone. */
function guarded(request: AdmissionRequest, phase: 'mutate' | 'validate'): AdmissionRequest {
  const frozen = (value: unknown) => ({ value: deepFreeze(structuredClone(value)) })
  return Object.create(request, {
    oldObject: frozen(request.oldObject),
    ...(phase === 'validate' ? { object: frozen(request.object) } : {}),
  })
}
const isApiError = (thrown: unknown) =>
  thrown instanceof Error && typeof (thrown as { code?: unknown }).code === 'number'
