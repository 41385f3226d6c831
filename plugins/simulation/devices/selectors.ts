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
/** The cost limit of one evaluation; expressions with a higher estimate are rejected when they are written. */
const maxCost = 1_000_000
/** Above this number the cache is cleared, and expressions are compiled again on use. */
const maxCompiled = 1000

/** The CEL expressions by which classes and claims select devices. */
export class DeviceSelectors {
  readonly #language: Expressions
  /** Undefined for an expression that no longer compiles: it selects nothing. */
  readonly #compiled = new Map<string, Expression | undefined>()

  constructor(language: Expressions) {
    this.#language = language
  }

  /** Compiles expressions, yielding in between; after that they can be evaluated. */
  async prepare(texts: readonly string[]): Promise<void> {
    if (this.#compiled.size > maxCompiled) this.#compiled.clear()
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

  /** An expression that fails, for example because the device lacks an attribute, does not select the device. */
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
