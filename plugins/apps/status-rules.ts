import { type FieldError, invalidValue } from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'

type Counts = Readonly<Record<string, unknown>>
const numberOf = (status: Counts | undefined, name: string) => status?.[name] as number | undefined

/** The named counts of a status must not be negative. */
export const checkCounts = (status: Counts | undefined, names: readonly string[]): FieldError[] =>
  names.flatMap(name => checkNotNegative(numberOf(status, name), `status.${name}`))

/** The first count of each pair is that of a subset of the second. */
export const checkParts = (
  status: Counts | undefined,
  pairs: readonly (readonly [part: string, whole: string])[],
): FieldError[] =>
  pairs
    .filter(([part, whole]) => (numberOf(status, part) ?? 0) > (numberOf(status, whole) ?? 0))
    .map(([part, whole]) =>
      invalidValue(`status.${part}`, numberOf(status, part) ?? 0, `cannot be greater than status.${whole}`),
    )

/** The collision count can only grow, and cannot be removed. */
export function checkCollisions(sent: number | undefined, stored: number | undefined): FieldError[] {
  const field = 'status.collisionCount'
  if (stored === undefined || (sent !== undefined && sent >= stored)) return []
  return [invalidValue(field, sent ?? null, 'cannot be decremented')]
}
