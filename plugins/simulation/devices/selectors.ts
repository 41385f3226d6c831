import { type Expression, ExpressionError, type Expressions } from 'orch/sdk/expressions'
import type { AttributeLike, DeviceLike } from './objects.js'

const byDomain = (value: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: value },
})
const variables = {
  device: {
    type: 'object',
    properties: {
      driver: { type: 'string' },
      attributes: byDomain({}),
      capacity: byDomain({ type: 'quantity' }),
      allowMultipleAllocations: { type: 'boolean' },
    },
  },
}
/** What one evaluation may cost; expressions whose estimate is higher are refused when they are written. */
const maxCost = 1_000_000
/** Above this number, all are compiled anew when they are used again. */
const mostKept = 1000

/** The expressions by which classes and claims choose devices. */
export class DeviceSelectors {
  readonly #language: Expressions
  /** Undefined for a text that does not compile any more: it chooses nothing. */
  readonly #compiled = new Map<string, Expression | undefined>()

  constructor(language: Expressions) {
    this.#language = language
  }

  /** Compiles expressions, which takes turns; they can be evaluated then. */
  async prepare(texts: readonly string[]): Promise<void> {
    if (this.#compiled.size > mostKept) this.#compiled.clear()
    for (const text of texts) {
      if (this.#compiled.has(text)) continue
      const options = { variables, result: 'bool', hasBindings: true, maxCost: Number.POSITIVE_INFINITY } as const
      const expression = await this.#language.compile(text, options).catch((error: unknown) => {
        if (error instanceof ExpressionError) return undefined
        throw error
      })
      this.#compiled.set(text, expression)
    }
  }

  /** An expression that fails, for instance because the device lacks an attribute, does not choose the device. */
  matches(text: string, driver: string, device: DeviceLike): boolean {
    const outcome = this.#compiled.get(text)?.evaluate({ device: factsOf(driver, device) }, { left: maxCost })
    return outcome !== undefined && 'value' in outcome && outcome.value === true
  }
}

function factsOf(driver: string, { attributes = {}, capacity = {}, allowMultipleAllocations = false }: DeviceLike) {
  const inDomains = <T>(named: Readonly<Record<string, T>>, read: (value: T) => unknown) => {
    const domains: Record<string, Record<string, unknown>> = {}
    for (const [name, value] of Object.entries(named)) {
      const slash = name.indexOf('/')
      const domain = slash < 0 ? driver : name.slice(0, slash)
      const known = domains[domain] ?? {}
      known[name.slice(slash + 1)] = read(value)
      domains[domain] = known
    }
    return domains
  }
  return {
    driver,
    attributes: inDomains(attributes, attributeValue),
    capacity: inDomains(capacity, ({ value }) => value),
    allowMultipleAllocations,
  }
}

export const attributeValue = ({ int, bool, string, version }: AttributeLike): string | number | boolean | undefined =>
  int ?? bool ?? string ?? version
