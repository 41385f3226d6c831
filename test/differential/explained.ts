import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Step } from '../golden/scenario.js'
import { formOf, resourceOf } from './cause.js'
import type { Difference } from './differences.js'

/** A difference that is intended. Patterns that are left out match everything. */
interface Explanation {
  /** Why our response differs. */
  readonly reason: string
  /** Matched with the type: `pods/status`. */
  readonly resource?: string
  /** Matched with the form of the request: `PATCH apply`. */
  readonly request?: string
  /** Matched with the place: `status`, `$.spec.replicas`. */
  readonly at?: string
  /** Matched with what the reference answered, and with what the target did, as JSON. */
  readonly expected?: string
  readonly actual?: string
  /** Matched with the messages of both, `reference | target`. */
  readonly messages?: string
  /** Matched with the methods, paths and bodies of the conversation so far, the bodies as JSON. */
  readonly sent?: string
  /** What the servers store differs from here on, so the conversation ends. */
  readonly ends?: boolean
}

/** Why a difference is intended. */
export interface Reason {
  readonly reason: string
  readonly ends: boolean
}

const file = fileURLToPath(new URL('../../../test/differential/explained.json', import.meta.url))

/** Reads the list of intended differences; the answer finds the reason of one. */
export function loadExplanations(
  from = file,
): (step: Step, difference: Difference, sent: string) => Reason | undefined {
  const all = (JSON.parse(readFileSync(from, 'utf8')) as Explanation[]).map(
    ({ reason, ends = false, ...patterns }) => ({
      why: { reason, ends },
      patterns: Object.entries(patterns).map(([part, pattern]) => [part, new RegExp(pattern)] as const),
    }),
  )
  return (step, difference, sent) => {
    const parts: Readonly<Record<string, string>> = {
      resource: resourceOf(step),
      request: formOf(step),
      at: difference.at,
      expected: JSON.stringify(difference.expected) ?? '',
      actual: JSON.stringify(difference.actual) ?? '',
      messages: difference.messages ?? '',
      sent,
    }
    return all.find(({ patterns }) => patterns.every(([part, pattern]) => pattern.test(parts[part] ?? '')))?.why
  }
}
