import { authoring } from 'orch/plugins/authoring'
import { consolePlugin } from 'orch/plugins/console'
import { doctor } from 'orch/plugins/doctor'
import { encryption } from 'orch/plugins/encryption'
import { envtest } from 'orch/plugins/envtest'
import { recording } from 'orch/plugins/recording'
import { storageTools } from 'orch/plugins/storage-tools'

/** Plugins whose commands the binary has wherever it runs: when the config does not list them, or cannot be loaded at all. */
export const commandPlugins = [storageTools, encryption, authoring, envtest, recording, doctor, consolePlugin]
