/** The parts of a running server, for display. */

/** An admission control that is on. */
export interface ChainLink {
  readonly name: string
  readonly phase: 'mutate' | 'validate' | 'both'
  readonly plugin: string
}

/** A plugin, and what it registers: `{ resources: ['widgets.example.com (v1)'], controllers: ['assembler'] }`. */
export interface PluginInventory {
  readonly name: string
  readonly brings: Readonly<Record<string, readonly string[]>>
}

/** The plugins that are enabled and the chain that a write passes, in the order it runs. */
export interface ServerInventory {
  readonly plugins: readonly PluginInventory[]
  readonly admissionChain: readonly ChainLink[]
}
