import type { SharedWork } from '../server/shared-work.js'

/** Shared work that runs in the calling process, as in a server of one process. */
export const workHere: SharedWork = {
  declare: (_name, work) => async question => work(question),
}
