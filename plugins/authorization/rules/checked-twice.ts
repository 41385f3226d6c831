import type { FieldError, ServedLevel } from 'orch/sdk'
import { rolesAreCheckedOnce } from '../differences.js'

/** How changed roles and bindings are checked: before `rolesAreCheckedOnce` their errors are reported twice. */
export const changeChecks = <T>(level: ServedLevel, validate: (sent: T, stored?: T) => FieldError[]) => {
  const times = level.has(rolesAreCheckedOnce) ? 1 : 2
  return {
    metadataChecks: { change: 1, object: times },
    validateChanged: (sent: T, stored: T): FieldError[] =>
      Array.from({ length: times }, () => validate(sent, stored)).flat(),
  }
}
