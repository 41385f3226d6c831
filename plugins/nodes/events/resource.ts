import { defineResource, Event, nameIsPathSegment } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { columns } from './columns.js'
import { fromStored, toStored } from './convert.js'
import { Event as EventV1 } from './schema.js'
import { Event as EventV1beta1 } from './schema-v1beta1.js'
import { selectableFields } from './selectable-fields.js'
import { mainStrategy } from './strategy.js'

const shared = {
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  columns,
  selectableFields,
  validateName: nameIsPathSegment,
  deletion: { defaultPropagation: 'Never' },
} as const

/** Events as the core group shows them; this is also how they are stored. */
export const coreEvents = (names: NodeNames) =>
  defineResource({
    ...shared,
    group: '',
    mayOwn: false,
    versions: [{ name: 'v1', schema: Event }],
    strategy: mainStrategy(names, 'core'),
  })

/** The same events as the events group shows them. */
export const events = (names: NodeNames) =>
  defineResource({
    ...shared,
    group: names.eventsGroup,
    storedAs: { group: '', resource: 'events' },
    versions: [
      { name: 'v1', schema: EventV1, toStorage: toStored, fromStorage: fromStored },
      {
        name: 'v1beta1',
        schema: EventV1beta1,
        toStorage: toStored,
        fromStorage: fromStored,
        deprecated: {
          warning: `${names.eventsGroup}/v1beta1 Event is deprecated in v1.19+, unavailable in v1.25+; use ${names.eventsGroup}/v1 Event`,
          removedRelease: '1.25',
          replacement: `${names.eventsGroup}/v1`,
        },
      },
      { name: 'stored', schema: Event, storage: true, served: false },
    ],
    strategy: mainStrategy(names, 'events'),
  })
