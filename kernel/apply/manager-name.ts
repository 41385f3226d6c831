import { type FieldError, invalidValue, tooLong } from 'orch/sdk'

const maxManagerBytes = 128
/** Most names are ASCII, and compiling the expression for all others takes milliseconds. */
const isPrintable = (char: string) => (char >= ' ' && char <= '~') || /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char)

/** The manager of a write without `fieldManager`: the product name of the user agent. */
export function managerFromUserAgent(userAgent: string | undefined): string {
  const product = (userAgent ?? '').split('/', 1)[0] ?? ''
  let name = ''
  for (const char of product) {
    if (!isPrintable(char)) continue
    if (Buffer.byteLength(name + char) > maxManagerBytes) break
    name += char
  }
  return name
}

/** The errors of a manager name that a client sent. The caller decides whether one is required. */
export function validateFieldManager(manager: string, field = 'fieldManager'): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(manager) > maxManagerBytes) errors.push(tooLong(field, maxManagerBytes))
  let position = 0
  for (const char of manager) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`))
    }
    position += Buffer.byteLength(char)
  }
  return errors
}
