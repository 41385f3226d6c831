import { definePlugin } from 'orch/sdk'
import { doctorCommand } from './doctor-command.js'

/** `orch doctor`: checks a config and a data folder, and reports problems with their remedies. */
export const doctor = definePlugin({
  name: 'doctor',
  register: to => to.command(doctorCommand),
})
