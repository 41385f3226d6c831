import { definePlugin, Type } from 'orch/sdk'

const MemoryOptions = Type.Object({
  memorySnapshot: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with the initial contents of the memory store, if it exists: for --storage-engine memory.',
    }),
  ),
  memorySnapshotSave: Type.Boolean({
    default: false,
    description: 'Write --memory-snapshot when the server stops.',
  }),
})

/** The storage engine `memory`: all data is lost when the process ends. */
export const storageMemory = definePlugin({
  name: 'storage-memory',
  options: MemoryOptions,
  register(to, { options }) {
    to.storage({
      name: 'memory',
      keepsFiles: false,
      open: async store => (await import('./open-memory-store.js')).openMemoryStore({ ...store, ...options }),
    })
  },
})
