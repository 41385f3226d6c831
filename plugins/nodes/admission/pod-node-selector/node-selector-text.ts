import { isValidLabelValue, labelKeyErrors } from 'orch/sdk/validation'

/** Parses `disk=ssd,zone=a`; undefined if the text is invalid. */
export function parseNodeSelector(text: string): Readonly<Record<string, string>> | undefined {
  if (text === '') return {}
  const labels: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [key = '', value, ...more] = part.split('=').map(word => word.trim())
    if (value === undefined || more.length > 0) return undefined
    if (labelKeyErrors(key, '').length > 0 || isValidLabelValue(value).length > 0) return undefined
    labels[key] = value
  }
  return labels
}
