/** The protocols by which clients use the streams of containers, and their ports. */
export { webSocketOver } from './channels.js'
export { type ForwardPort, maxChannelPorts, namesPorts, portProtocols, servePorts } from './forwarded-ports.js'
export { defaultLimits, type StreamLimits } from './limits.js'
export { type Agreement, type AskedUpgrade, negotiate, type SpokenProtocols, UpgradeRefused } from './negotiate.js'
export {
  type ProcessEnds,
  type ProcessOutcome,
  processProtocols,
  type RunProcess,
  serveProcess,
  type TerminalSize,
  type WantedStreams,
} from './process-streams.js'
