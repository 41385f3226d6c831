import {
  definePlugin,
  defineResource,
  field,
  Kind,
  ListOf,
  type PluginEntry,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'

/** A type whose storage version changes: v1 has a text, v2 its lines. */
const NoteV1 = Kind('test.v1.Note', { spec: field(2, Struct('test.v1.NoteSpec', { text: field(1, Text()) })) })
const NoteV2 = Kind('test.v2.Note', {
  spec: field(
    2,
    Struct('test.v2.NoteSpec', { lines: field(1, ListOf(Text())), color: field(2, Text({ default: 'white' })) }),
  ),
})
type NoteV1 = Static<typeof NoteV1>
type NoteV2 = Static<typeof NoteV2>

export const notesGroup = 'notes.test'
export const notesPath = (version: string, name = '') => `/apis/${notesGroup}/${version}/notes${name && `/${name}`}`
const note = { group: notesGroup, kind: 'Note', resource: 'notes', namespaced: false } as const
const v1 = {
  name: 'v1',
  schema: NoteV1,
  toStorage: ({ spec, ...rest }: NoteV1) => ({ ...rest, spec: { lines: spec?.text?.split('\n') ?? [] } }),
  fromStorage: ({ spec, ...rest }: NoteV2) => ({ ...rest, spec: { text: spec?.lines?.join('\n') ?? '' } }),
}
const v2 = { name: 'v2', schema: NoteV2, storage: true }
const selectableFields = { 'spec.first': ({ spec }: NoteV2) => spec?.lines?.[0] ?? '' }

/** The plugin at three times of its life. */
export const notes = {
  before: definePlugin({
    name: 'notes',
    register: to => to.resource(defineResource({ ...note, versions: [{ name: 'v1', schema: NoteV1 }] })),
  }),
  between: definePlugin({
    name: 'notes',
    register: to => to.resource(defineResource({ ...note, versions: [v2, v1], selectableFields })),
  }),
  after: definePlugin({
    name: 'notes',
    register: to => to.resource(defineResource({ ...note, versions: [v2], selectableFields })),
  }),
} satisfies Record<string, PluginEntry>
