import { isStrictCidr, isStrictIp, isValidCidr, isValidIp } from 'orch/sdk/validation'

/** Returns a text for every rule that a value breaks. */
type Rule = (value: string) => string[]

/** The rule for addresses. `areStrict`: they must be unambiguous, too. Those that the stored object has may stay. */
export const addressRule = (areStrict: boolean, stored: Iterable<string> = []): Rule =>
  exempt(stored, areStrict ? isStrictIp : isValidIp)

/** The same for ranges of addresses. */
export const rangeRule = (areStrict: boolean, stored: Iterable<string> = []): Rule =>
  exempt(stored, areStrict ? isStrictCidr : isValidCidr)

function exempt(stored: Iterable<string>, rule: Rule): Rule {
  const known = new Set(stored)
  return value => (known.has(value) ? [] : rule(value))
}
