import type { Revision } from 'orch/sdk/host'

/** The state of a key after one write. */
export interface Version {
  readonly revision: Revision
  /** The body of the write; undefined if it deleted the key. */
  readonly body: Buffer | undefined
  readonly attributes: Buffer
}
