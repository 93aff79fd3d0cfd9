"""What a page must not do at any width: hold an element that reaches beyond it."""

# Elements that cut off or scroll what is too long are wide inside, and it shows nowhere.
WIDER = """
const edge = document.documentElement.clientWidth + 1;
const cut = (node) => {
  for (let each = node.parentElement; each; each = each.parentElement)
    if (getComputedStyle(each).overflowX !== 'visible') return true;
  return false;
};
const wide = (node) => node.getBoundingClientRect().right > edge && !cut(node);
return [...document.body.querySelectorAll('*')].filter(wide).map((node) => node.outerHTML.slice(0, 120));
"""
