import { definePlugin } from 'orch/sdk'
import { conformanceCommand } from './conformance-command.js'
import { crdCommand } from './crd-command.js'
import { newCommand } from './new-command.js'

/** `orch new`, `orch crd` and `orch conformance`: for plugin authors. */
export const authoring = definePlugin({
  name: 'authoring',
  register: to => to.command(newCommand, crdCommand, conformanceCommand),
})
