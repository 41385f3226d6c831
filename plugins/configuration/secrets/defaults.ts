import type { Secret } from 'orch/sdk/core'

/** `stringData` is write-only: it is merged into `data` and never stored. */
export function mergeStringData(secret: Secret): void {
  const { stringData, data = {} } = secret
  if (stringData === undefined) return
  delete secret.stringData
  const added = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  secret.data = Object.fromEntries([...Object.entries(data), ...added])
}
