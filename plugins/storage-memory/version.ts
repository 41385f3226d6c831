import type { Revision } from 'orch/sdk/host'

/** The state of a key after one write. */
export interface Version {
  readonly revision: Revision
  /** As readers get it, with its revision; undefined when the write deleted the key. */
  readonly body: Buffer | undefined
  readonly attributes: Buffer
}
