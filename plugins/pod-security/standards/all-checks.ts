import type { Check } from './check.js'
import { allowPrivilegeEscalation } from './checks/allow-privilege-escalation.js'
import { appArmorProfile } from './checks/app-armor-profile.js'
import { capabilitiesBaseline } from './checks/capabilities-baseline.js'
import { capabilitiesRestricted } from './checks/capabilities-restricted.js'
import { hostNamespaces } from './checks/host-namespaces.js'
import { hostPathVolumes } from './checks/host-path-volumes.js'
import { hostPorts } from './checks/host-ports.js'
import { privileged } from './checks/privileged.js'
import { procMount } from './checks/proc-mount.js'
import { restrictedVolumes } from './checks/restricted-volumes.js'
import { runAsNonRoot } from './checks/run-as-non-root.js'
import { runAsUser } from './checks/run-as-user.js'
import { seLinuxOptions } from './checks/se-linux-options.js'
import { seccompProfileBaseline } from './checks/seccomp-profile-baseline.js'
import { seccompProfileRestricted } from './checks/seccomp-profile-restricted.js'
import { sysctls } from './checks/sysctls.js'
import { windowsHostProcess } from './checks/windows-host-process.js'

/** Every rule of the standards, in the order in which violations are told: the wider standard first. */
export const allChecks: readonly Check[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privileged,
  procMount,
  seLinuxOptions,
  seccompProfileBaseline,
  sysctls,
  windowsHostProcess,

  allowPrivilegeEscalation,
  capabilitiesRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileRestricted,
]
