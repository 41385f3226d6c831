import { bodyPrefix, type Revision } from 'orch/sdk/host'

/** What one write left behind under a key. */
export interface Version {
  readonly revision: Revision
  /** As it was handed in; undefined when the write deleted the key. */
  readonly body: Buffer | undefined
  readonly attributes: Buffer
}

const afterPrefix = Buffer.byteLength(bodyPrefix)
const closingBrace = '}'.charCodeAt(0)

/** Readers get the body with the revision in it, in a buffer of their own. */
export function withRevision(body: Buffer, revision: Revision): Buffer {
  const isEmpty = body[afterPrefix] === closingBrace
  const inserted = Buffer.from(`"resourceVersion":"${revision}"${isEmpty ? '' : ','}`)
  return Buffer.concat([body.subarray(0, afterPrefix), inserted, body.subarray(afterPrefix)])
}
