import { definePlugin } from 'orch/sdk'
import { storageCommand } from './storage-command.js'

/** `orch storage`: care for a store, and moving it. */
export const storageTools = definePlugin({
  name: 'storage-tools',
  register: to => to.command(storageCommand),
})
