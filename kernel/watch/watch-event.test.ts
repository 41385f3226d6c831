import type { StoreEvent } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeAttributes } from '../storage/attributes.js'
import { selectEvent } from './watch-event.js'

const attributes = (color: string | undefined) =>
  encodeAttributes({ labels: color === undefined ? {} : { color }, fields: {} })
const isBlue = (buffer: Buffer) => buffer.equals(attributes('blue'))
const event = (type: StoreEvent['type'], now: string | undefined, before: string | undefined): StoreEvent => ({
  revision: 1,
  type,
  key: 'g/r/a',
  body: Buffer.alloc(0),
  attributes: attributes(now),
  previousAttributes: type === 'create' ? undefined : attributes(before),
  previousBody: () => undefined,
})

const selection = suite('what a watcher with a selector hears')

const cases: Record<string, [StoreEvent, ReturnType<typeof selectEvent>]> = {
  'a created object in the selection is added': [
    event('create', 'blue', undefined),
    { type: 'ADDED', isPrevious: false },
  ],
  'a created object outside is not mentioned': [event('create', 'red', undefined), undefined],
  'a change inside is a modification': [event('update', 'blue', 'blue'), { type: 'MODIFIED', isPrevious: false }],
  'an object that comes in is added': [event('update', 'blue', 'red'), { type: 'ADDED', isPrevious: false }],
  'an object that leaves is deleted, shown as it was': [
    event('update', 'red', 'blue'),
    { type: 'DELETED', isPrevious: true },
  ],
  'a change outside is not mentioned': [event('update', 'red', 'green'), undefined],
  'a deleted object of the selection is deleted': [
    event('delete', 'blue', 'blue'),
    { type: 'DELETED', isPrevious: false },
  ],
  'a deleted object outside is not mentioned': [event('delete', 'red', 'red'), undefined],
}
for (const [title, [given, expected]] of Object.entries(cases)) {
  selection(title, () => assert.equal(selectEvent(given, isBlue), expected))
}
selection('without a selector every event is heard as it is', () => {
  assert.is(selectEvent(event('delete', 'red', 'red'), undefined)?.type, 'DELETED')
})

selection.run()
