"""What people need who do not see well, or who use a keyboard or a screen reader."""

CONTRAST = """
const parsed = text => {
  const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
  return {r, g, b, a};
};
const over = (top, below) => ({
  r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1,
});
const luminance = ({r, g, b}) => {
  const [x, y, z] = [r, g, b].map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const background = element => {
  const layers = [];
  for (let one = element; one; one = one.parentElement) {
    const style = getComputedStyle(one);
    // A text on a picture or a gradient has no single contrast.
    if (style.backgroundImage !== "none") return null;
    const colour = parsed(style.backgroundColor);
    if (colour.a > 0) layers.push(colour);
    if (colour.a === 1) break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), {r: 255, g: 255, b: 255, a: 1});
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim();
  const element = walker.currentNode.parentElement;
  if (!text || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) || element.closest(".unseen, .skip, [disabled]")) continue;
  const behind = background(element);
  if (!behind) continue;
  const style = getComputedStyle(element);
  const [one, two] = [luminance(over(parsed(style.color), behind)), luminance(behind)];
  const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
  if (ratio < (isLarge ? 3 : 4.5)) found.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return found;
"""

TARGETS = """
return [...document.querySelectorAll("button, a, input, select")].filter(one => one.checkVisibility() && !one.closest(".skip, p"))
  // A tap on the label of a box is one on the box.
  .map(one => [one, (one.type === "checkbox" && one.labels[0] || one).getBoundingClientRect()]).filter(([, box]) => box.width && box.height && (box.width < 43.5 || box.height < 43.5))
  .map(([one, box]) => `${one.ariaLabel ?? one.innerText ?? one.name}: ${Math.round(box.width)} x ${Math.round(box.height)}`);
"""

# The roles that a golden text has; others only group.
ROLES = {
  "heading", "button", "link", "textbox", "searchbox", "slider", "combobox", "checkbox", "navigation", "main", "complementary",
  "dialog", "list", "listitem", "status", "alert", "search", "region", "image", "form", "spinbutton", "Date",
}


def tree(page):
  """Returns the tree that a screen reader sees: a line for each role with its name, indented."""
  nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
  by_id = {node["nodeId"]: node for node in nodes}
  lines = []

  def visit(node, depth):
    role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value", "")
    states = " ".join(
      f"{one['name']}={one['value'].get('value')}" for one in node.get("properties", [])
      if one["name"] in ("disabled", "pressed", "required", "level", "modal") and one["value"].get("value") not in (False, "false"))
    is_shown = not node.get("ignored") and role in ROLES
    if is_shown:
      lines.append(f"{'  ' * depth}{role} “{name}”{f' {states}' if states else ''}".rstrip())
    for child in node.get("childIds", []):
      if child in by_id:
        visit(by_id[child], depth + is_shown)

  visit(nodes[0], 0)
  return "\n".join(lines) + "\n"


def nameless(text):
  """Returns the lines of controls without a name."""
  controls = ("button", "link", "textbox", "searchbox", "slider", "combobox", "checkbox", "image", "dialog", "spinbutton")
  return [line for line in text.splitlines() if line.strip().split(" ")[0] in controls and "“”" in line]


def contrast(page):
  return page.driver.execute_script(CONTRAST)


def small_targets(page):
  return page.driver.execute_script(TARGETS)
