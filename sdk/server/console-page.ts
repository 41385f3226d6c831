/** What a plugin adds to the console: a page of its own, or a panel beside the objects of a type. */

/** A page or a panel, as a module that the browser loads on demand. */
export interface ConsolePageDefinition {
  /** Part of its address: lower-case letters, digits and dashes. */
  readonly name: string
  /** Shown in the menu, or above the panel. */
  readonly title: string
  /**
   * A file with an ES module for the browser, such as `new URL('../page.js', import.meta.url)`. It exports `mount(element, context)`, which
   * shows something in the element and may return a function that removes it again. It must be complete: scripts and styles of other hosts,
   * inline styles and `eval` are refused by the console's security policy.
   */
  readonly module: URL | string
  /** With it this is a panel, shown with every object of the type; without it, a page in the menu. */
  readonly type?: { readonly group: string; readonly resource: string }
}

/** Declares a page or a panel of the console. */
export const defineConsolePage = (definition: ConsolePageDefinition): ConsolePageDefinition => definition

/** What the module of a page gets. Requests are made as the signed-in user: the server decides what they may do. */
export interface ConsolePageContext {
  /** `fetch` for a path of this server, with the credential of the signed-in user. */
  request(path: string, init?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<Response>
  /** The object that a panel belongs to, as it is now; undefined on a page. */
  readonly object: unknown
  /** Calls back with the object whenever it changes. The returned function ends that. */
  onChange(call: (object: unknown) => void): () => void
  /** Goes to a view of the console, such as `/r/example.com/v1/widgets`. */
  navigate(view: string): void
  /** Shows a short message to the user. */
  notify(text: string): void
}

/** A page together with the plugin that brings it. */
export interface ContributedConsolePage extends ConsolePageDefinition {
  readonly plugin: string
}
