import { runPluginProcess } from './run-plugin-process.js'

runPluginProcess()
