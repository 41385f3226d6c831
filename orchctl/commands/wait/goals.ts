import type { ApiObject } from 'orch/sdk'
import { printed, valuesAt } from '../../../libs/json-path/index.js'
import { UsageError } from '../../usage-error.js'

/** What to wait for. */
export interface Goal {
  /** For messages: `condition Ready`. */
  readonly subject: string
  /** The message when it is reached. */
  readonly met: string
  /** Whether the object may be missing at first. */
  readonly mayBeMissing: boolean
  /** `first` is the object at the beginning of the wait. */
  isMet(object: ApiObject | undefined, first: ApiObject | undefined): boolean
}

interface Condition {
  readonly type?: string
  readonly status?: string
  readonly observedGeneration?: number
}

/** Reads the value of `--for`. */
export function readGoal(text: string | undefined): Goal {
  if (text === 'delete') return deletion
  if (text === 'create') return creation
  const condition = /^condition=([^=]+)(?:=(.*))?$/.exec(text ?? '')
  if (condition) return conditionGoal(condition[1] ?? '', condition[2] ?? 'true')
  const path = /^jsonpath=(?:'|")?(\{.*\}|[^=]+?)(?:'|")?(?:==?(.*))?$/s.exec(text ?? '')
  if (path) return pathGoal(path[1] ?? '', path[2])
  throw new UsageError(
    "say what to wait for: --for=delete, --for=create, --for=condition=NAME or --for=jsonpath='{PATH}'=VALUE",
  )
}

const deletion: Goal = {
  subject: 'the deletion',
  met: 'deleted',
  mayBeMissing: true,
  isMet: (object, first) => object === undefined || object.metadata.uid !== first?.metadata.uid,
}
const creation: Goal = {
  subject: 'the creation',
  met: 'created',
  mayBeMissing: true,
  isMet: object => object !== undefined,
}

function conditionGoal(name: string, status: string): Goal {
  const same = (left: string | undefined, right: string) => left?.toLowerCase() === right.toLowerCase()
  return {
    subject: `condition ${name}`,
    met: 'condition met',
    mayBeMissing: false,
    isMet(object) {
      const { conditions = [] } = (object?.['status'] ?? {}) as { conditions?: readonly Condition[] }
      const found = conditions.find(one => same(one.type, name))
      // A condition of an older generation does not apply to this one.
      const isCurrent = (found?.observedGeneration ?? Number.POSITIVE_INFINITY) >= (object?.metadata.generation ?? 0)
      return found !== undefined && isCurrent && same(found.status, status)
    },
  }
}

function pathGoal(path: string, value: string | undefined): Goal {
  const bare = path.replace(/^\{(.*)\}$/s, '$1')
  return {
    subject: value === undefined ? `a value at ${path}` : `${path}=${value}`,
    met: 'condition met',
    mayBeMissing: false,
    isMet(object) {
      const values = valuesAt(bare, object)
      return value === undefined ? values.length > 0 : values.some(one => printed(one) === value)
    },
  }
}
