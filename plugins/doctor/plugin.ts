import { definePlugin } from 'orch/sdk'
import { doctorCommand } from './doctor-command.js'

/** `orch doctor`: what is wrong with a config and a data folder, and how to mend it. */
export const doctor = definePlugin({
  name: 'doctor',
  register: to => to.command(doctorCommand),
})
