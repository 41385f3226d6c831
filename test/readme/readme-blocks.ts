/** The code blocks of a Markdown text that name a file: ` ```ts file=wishes.ts `. */
export function filesIn(markdown: string): Map<string, string> {
  const blocks = markdown.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
}

/** The first cells of a table's rows, under the heading of the given text, without their code marks. */
export function firstCells(markdown: string, heading: string): string[] {
  const section = markdown.split(/^## /m).find(part => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, cell = '']) => cell)
}

/** The commands of every block that is to be run: ` ```sh run `. */
export function commandsToRun(markdown: string): string {
  return [...markdown.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands).join('\n')
}
