import { CompactedError, type ListChunk } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { ListText } from '../representation/list-text.js'
import { conventionsOf } from '../types/conventions.js'
import { list } from './list.js'
import type { VerbRequest } from './verb.js'

const chunk: ListChunk = { joined: Buffer.from('{}'), count: 1, offsets: [0], lastKey: 'a', more: false }

/** A list of two chunks whose revision is forgotten before the third. */
async function* forgotten() {
  yield chunk
  yield chunk
  throw new CompactedError(9)
}

function brokenList() {
  const seen = { text: '', isDestroyed: false }
  const stream = {
    isClosed: false,
    write(bytes: Buffer) {
      seen.text += bytes.toString()
      return true
    },
    destroy() {
      seen.isDestroyed = true
    },
  }
  const request = {
    services: {
      store: { compactedRevision: () => 0, list: () => ({ revision: 1, items: forgotten() }) },
      representations: {
        negotiate: () => ({ format: 'json', as: 'object' }),
        listForm: () => ({ text: new ListText({ kind: 'ThingList' }, {}, 'items', false) }),
      },
    },
    context: {
      info: { query: new URLSearchParams(), namespace: '', name: '' },
      exchange: { stream: () => stream },
      audit: {},
    },
    type: {
      kind: 'Thing',
      definition: {},
      conventions: conventionsOf({}),
      namespaced: false,
      collectionPrefix: () => 'acme.test/things/',
    },
    version: { isStorage: true, isStoredAsIs: true, groupVersion: 'acme.test/v1' },
  }
  return { seen, request: request as unknown as VerbRequest }
}

const lists = suite('lists')

lists('an answer that breaks off in the middle is cut, so that nobody waits for its end', async () => {
  const { seen, request } = brokenList()
  await rejects(list(request), /compacted/)
  assert.match(seen.text, /^\{"kind":"ThingList"/)
  assert.ok(seen.isDestroyed)
})

lists.run()
