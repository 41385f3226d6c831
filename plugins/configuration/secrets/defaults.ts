import type { Secret } from 'orch/sdk/core'

/** `stringData` is a way to write only: it goes over `data` and is never stored. */
export function mergeStringData(secret: Secret): void {
  const { stringData, data = {} } = secret
  if (stringData === undefined) return
  delete secret.stringData
  const added = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  secret.data = Object.fromEntries([...Object.entries(data), ...added])
}
