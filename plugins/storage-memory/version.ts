import { bodyPrefix, type Revision } from 'orch/sdk/host'

/** What one write left behind under a key. */
export interface Version {
  readonly revision: Revision
  /** As readers get it, with its revision; undefined when the write deleted the key. */
  readonly body: Buffer | undefined
  readonly attributes: Buffer
}

const afterPrefix = Buffer.byteLength(bodyPrefix)
const closingBrace = '}'.charCodeAt(0)

/** A body with the revision in it, in a buffer of its own. */
export function withRevision(body: Buffer, revision: Revision): Buffer {
  const isEmpty = body[afterPrefix] === closingBrace
  const inserted = `"resourceVersion":"${revision}"${isEmpty ? '' : ','}`
  const shown = Buffer.allocUnsafe(body.length + inserted.length)
  body.copy(shown, 0, 0, afterPrefix)
  shown.write(inserted, afterPrefix, 'latin1')
  body.copy(shown, afterPrefix + inserted.length, afterPrefix)
  return shown
}
